import { expect, test } from '@jest/globals';
import { resourcesOf, synthesizeTemplate } from '../../../../test/stack/synthesized-stack.ts';

test('the alarm of logins counts what fails and is not refused, and the alarm of errors no refusal', async () => {
  const template = await synthesizeTemplate({ stage: 'prod', login: 'on' });
  const alarms = [...resourcesOf(template, 'AWS::CloudWatch::Alarm').values()].map(({ Properties }) => Properties);
  const [failures] = alarms.filter(({ AlarmDescription }) => String(AlarmDescription).includes('#login-failures'));
  expect(failures).toMatchObject({ Threshold: 1, DatapointsToAlarm: 2, EvaluationPeriods: 5 });
  const metrics = failures?.Metrics as { Expression?: string; MetricStat?: { Metric: object; Period: number } }[];
  expect(metrics.flatMap(({ Expression }) => Expression ?? [])).toEqual(['(FILL(errors0, 0) - FILL(refused0, 0))']);
  expect(metrics.flatMap(({ MetricStat }) => MetricStat ?? [])).toMatchObject([
    { Metric: { Namespace: 'AWS/Lambda', MetricName: 'Errors' }, Period: 60 },
    {
      Metric: {
        Namespace: 'AuthService',
        MetricName: 'LoginsRefused',
        Dimensions: [
          { Name: 'route', Value: 'pre-token-generation' },
          { Name: 'service', Value: 'auth-service' },
        ],
      },
      Period: 60,
    },
  ]);
  const errors = alarms.filter(({ AlarmDescription }) => String(AlarmDescription).includes('#errors'));
  expect(JSON.stringify(errors)).not.toContain('pre-token-generation');
  expect(JSON.stringify(errors)).toContain('sync-login');
});
