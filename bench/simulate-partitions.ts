import { poisson, seededRandom } from './statistics.ts';

/** Units a second of one partition, and so of one item at most (DynamoDB developer guide, "Partition key design"). */
export const partitionLimits = { read: 3000, write: 1000 } as const;

/** A new on-demand table takes 12,000 read and 4,000 write units a second at once ("Warm throughput"). */
export const initialPartitions = 4;

/** A stream of requests to one place of the table or of its index. */
export interface Flow {
  readonly kind: keyof typeof partitionLimits;
  /** The mean, in this second. */
  readonly unitsPerSecond: (second: number) => number;
  /**
   * Which keys it uses: one item; the end of one partition key, as sort keys that ascend with time do; sort keys spread
   * over one partition key; or many partition keys. A split relieves only the last two.
   */
  readonly spread: 'one item' | 'ascending' | 'one key' | 'many keys';
}

export interface SimulationOptions {
  readonly flows: readonly Flow[];
  readonly seconds: number;
  /** A partition that is hot for this long is split. An assumption: AWS speaks of minutes. Default: 600. */
  readonly splitAfterSeconds?: number;
  readonly seed?: number;
}

/** What one flow sent and what was served, per second, in units. */
export interface FlowResult {
  readonly asked: readonly number[];
  readonly served: readonly number[];
}

export interface SimulationResult {
  readonly flows: readonly FlowResult[];
  /** The most units that one partition served in one second. */
  readonly mostServed: Readonly<Record<Flow['kind'], number>>;
  /** The number of partitions at the end. */
  readonly partitions: number;
}

/** The part of a flow that goes to one partition. */
interface Share {
  readonly flow: number;
  readonly part: number;
}

interface Partition {
  readonly shares: readonly Share[];
  /** The same by kind, computed once, as each simulated second needs them. */
  readonly sharesOf: readonly { readonly kind: Kind; readonly shares: readonly Share[] }[];
  hotSeconds: number;
}

type Kind = Flow['kind'];
const kinds = ['read', 'write'] as const;
const hotFrom = 0.9;
// Taken once: in a context of node:vm, as tests run in, each look at a global costs more than the arithmetic.
const { floor, max, min } = Math;

/** Simulates flows against a table's partitions. The same options give the same result. */
export function simulatePartitions(options: SimulationOptions): SimulationResult {
  const { flows, seconds, splitAfterSeconds = 600, seed = 1 } = options;
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
      // Nothing of an unused second is kept: DynamoDB may allow bursts, but does not promise them.
      const served = min(demand.units, partitionLimits[demand.kind]);
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

/** The load of one kind on one partition in one second. */
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

function heat(partitions: readonly Partition[], demands: readonly Demand[]): void {
  const hot = new Set(
    demands.filter(({ kind, units }) => units >= hotFrom * partitionLimits[kind]).map(({ partition }) => partition),
  );
  for (const partition of partitions) partition.hotSeconds = hot.has(partition) ? partition.hotSeconds + 1 : 0;
}

function note(series: number[] | undefined, second: number, units: number): void {
  if (series !== undefined) series[second] = (series[second] ?? 0) + units;
}

/** Each partition key is on one partition; many keys are on all. */
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
    hotSeconds: 0,
  };
}

/** Into two of equal heat, as far as its flows can be separated; one item, or the end of one key, stays whole. */
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
