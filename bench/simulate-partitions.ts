import { poisson, seededRandom } from './random.ts';

/** Units a second of one partition, and so of one item (DynamoDB developer guide, "Partition key design"). */
export const partitionLimits = { read: 3000, write: 1000 } as const;

/** A new on-demand table takes 12,000 read and 4,000 write units a second at once ("Warm throughput"). */
export const initialPartitions = 4;

/** A stream of requests to one place of the table or of its index. */
export interface Flow {
  readonly kind: keyof typeof partitionLimits;
  /** On average, in this second. */
  readonly unitsPerSecond: (second: number) => number;
  /**
   * Where they go: to one item; to the end of one partition key, as sort keys that ascend with time do; to sort keys all
   * over one partition key; or to many partition keys. Only the last two become more by a split.
   */
  readonly spread: 'one item' | 'ascending' | 'one key' | 'many keys';
}

export interface SimulationOptions {
  readonly flows: readonly Flow[];
  readonly seconds: number;
  /** What a partition leaves unused is kept for so long; DynamoDB may, but does not promise to. Default: 0. */
  readonly burstSeconds?: number;
  /** A partition that is hot for so long is split. An assumption: AWS tells of minutes. Default: 600. */
  readonly splitAfterSeconds?: number;
  readonly seed?: number;
}

/** What one flow asked for and got, second by second, in units. */
export interface FlowResult {
  readonly asked: readonly number[];
  readonly served: readonly number[];
}

export interface SimulationResult {
  readonly flows: readonly FlowResult[];
  /** Of all partitions in any second, the most units that one served. */
  readonly mostServed: Readonly<Record<Flow['kind'], number>>;
  /** How many partitions there are in the end. */
  readonly partitions: number;
}

/** The part of a flow that goes to one partition. */
interface Share {
  readonly flow: number;
  readonly part: number;
}

interface Partition {
  readonly shares: readonly Share[];
  /** The same, told apart once: a simulation asks for them in every second. */
  readonly sharesOf: readonly { readonly kind: Kind; readonly shares: readonly Share[] }[];
  readonly credit: Record<Flow['kind'], number>;
  hotSeconds: number;
}

type Kind = Flow['kind'];
const kinds = ['read', 'write'] as const;
const hotFrom = 0.9;
// Taken once: in a context of node:vm, as tests run in, each look at a global costs more than the arithmetic.
const { floor, max, min } = Math;

/** Sends flows at a table's partitions for a while. The same options give the same result. */
export function simulatePartitions(options: SimulationOptions): SimulationResult {
  const { flows, seconds, burstSeconds = 0, splitAfterSeconds = 600, seed = 1 } = options;
  const random = seededRandom(seed);
  let partitions = placeFlows(flows, random);
  const results = flows.map(() => ({
    asked: new Array<number>(seconds).fill(0),
    served: new Array<number>(seconds).fill(0),
  }));
  const mostServed = { read: 0, write: 0 };
  for (let second = 0; second < seconds; second++) {
    const asked = flows.map(({ unitsPerSecond }) => poisson(unitsPerSecond(second), random));
    for (const [at, units] of asked.entries()) note(results[at]?.asked, second, units);
    const demands = partitions.flatMap((partition) => demandsOf(partition, asked));
    for (const demand of demands) {
      const served = serve(demand, burstSeconds);
      mostServed[demand.kind] = max(mostServed[demand.kind], served);
      for (const { flow, units } of demand.parts)
        note(results[flow]?.served, second, (units * served) / (demand.units || 1));
    }
    heat(partitions, demands);
    partitions = partitions.flatMap((each) =>
      each.hotSeconds < splitAfterSeconds ? [each] : split(each, flows, asked),
    );
  }
  return { flows: results, mostServed, partitions: partitions.length };
}

/** What one partition is asked for in one second, of one kind. */
interface Demand {
  readonly partition: Partition;
  readonly kind: Kind;
  readonly parts: readonly { readonly flow: number; readonly units: number }[];
  readonly units: number;
}

function demandsOf(partition: Partition, asked: readonly number[]): Demand[] {
  return partition.sharesOf.map(({ kind, shares }) => {
    const parts = shares.map(({ flow, part }) => ({ flow, units: (asked[flow] ?? 0) * part }));
    return { partition, kind, parts, units: parts.reduce((sum, { units }) => sum + units, 0) };
  });
}

/** What a partition gives of what it is asked for; what it leaves unused is kept for later. */
function serve({ partition: { credit }, kind, units }: Demand, burstSeconds: number): number {
  const limit = partitionLimits[kind];
  const served = min(units, limit + credit[kind]);
  credit[kind] = min(limit * burstSeconds, credit[kind] + limit - served);
  return served;
}

function heat(partitions: readonly Partition[], demands: readonly Demand[]): void {
  const hot = new Set(
    demands.filter(({ kind, units }) => units >= hotFrom * partitionLimits[kind]).map(({ partition }) => partition),
  );
  for (const partition of partitions) partition.hotSeconds = hot.has(partition) ? partition.hotSeconds + 1 : 0;
}

function note(series: number[] | undefined, second: number, units: number): void {
  if (series !== undefined) series[second] = (series[second] ?? 0) + units;
}

/** Each partition key lies somewhere; many lie everywhere. */
function placeFlows(flows: readonly Flow[], random: () => number): Partition[] {
  const shares: Share[][] = Array.from({ length: initialPartitions }, () => []);
  for (const [flow, { spread }] of flows.entries()) {
    if (spread === 'many keys') for (const each of shares) each.push({ flow, part: 1 / initialPartitions });
    else shares[floor(random() * initialPartitions)]?.push({ flow, part: 1 });
  }
  return shares.map((each) => newPartition(each, flows));
}

function newPartition(shares: readonly Share[], flows: readonly Flow[]): Partition {
  const sharesOf = kinds.map((kind) => ({ kind, shares: shares.filter(({ flow }) => flows[flow]?.kind === kind) }));
  return {
    shares,
    sharesOf: sharesOf.filter((each) => each.shares.length > 0),
    credit: { read: 0, write: 0 },
    hotSeconds: 0,
  };
}

/** In two of equal heat, as far as its flows can be told apart; one item, or the end of one key, stays whole. */
function split(partition: Partition, flows: readonly Flow[], asked: readonly number[]): Partition[] {
  const halves: { shares: Share[]; heat: number }[] = [
    { shares: [], heat: 0 },
    { shares: [], heat: 0 },
  ];
  const byHeat = partition.shares
    .map((share) => ({ share, heat: heatOf(share, flows, asked) }))
    .sort((one, other) => other.heat - one.heat);
  for (const { share, heat } of byHeat) {
    const spread = flows[share.flow]?.spread;
    if (spread === 'one key' || spread === 'many keys') {
      for (const half of halves) put(half, { ...share, part: share.part / 2 }, heat / 2);
    } else {
      const [cooler] = halves.toSorted((one, other) => one.heat - other.heat);
      if (cooler !== undefined) put(cooler, share, heat);
    }
  }
  const kept = halves.filter(({ shares }) => shares.length > 0);
  return kept.map(({ shares }) => newPartition(shares, flows));
}

function put(half: { shares: Share[]; heat: number }, share: Share, heat: number): void {
  half.shares.push(share);
  half.heat += heat;
}

function heatOf({ flow, part }: Share, flows: readonly Flow[], asked: readonly number[]): number {
  return ((asked[flow] ?? 0) * part) / partitionLimits[flows[flow]?.kind ?? 'read'];
}
