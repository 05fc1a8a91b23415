import * as v from 'valibot';
import type { TemplateResources } from './template-resources.ts';

/** A function that EventBridge invokes at a fixed rate. */
export interface ScheduleModel {
  readonly functionId: string;
  readonly minutes: number;
}

const timeSchema = v.object({
  State: v.optional(v.string(), 'ENABLED'),
  ScheduleExpression: v.optional(v.string(), ''),
});
const targetsSchema = v.object({ Targets: v.array(v.object({ Arn: v.string() })) });

/** The enabled rules with a rate in minutes. Those at a time of the day do not run locally. */
export function readSchedules(resources: TemplateResources): ScheduleModel[] {
  return resources.idsOf(['AWS::Events::Rule']).flatMap((id) => {
    const { State, ScheduleExpression } = resources.read(id, timeSchema);
    const [, minutes] = /^rate\((\d+) minutes?\)$/.exec(ScheduleExpression) ?? [];
    if (State !== 'ENABLED' || minutes === undefined) return [];
    return resources.read(id, targetsSchema).Targets.flatMap(({ Arn }) => {
      const [, functionId] = /:function:([^:/]+)/.exec(Arn) ?? [];
      return functionId === undefined ? [] : { functionId, minutes: Number(minutes) };
    });
  });
}

/** Invokes the functions at their rates until it is closed. */
export function runSchedules(schedules: readonly ScheduleModel[], invoke: (id: string, event: object) => unknown) {
  const timers = schedules.map(({ functionId, minutes }) =>
    setInterval(() => void invoke(functionId, { source: 'aws.events' }), minutes * 60_000).unref(),
  );
  return {
    close: async () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
