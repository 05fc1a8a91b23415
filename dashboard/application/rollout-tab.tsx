import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Slider from '@cloudscape-design/components/slider';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Suspense, useState } from 'react';
import type { ApplicationView } from '#shared/contract/application.ts';
import { fullRollout } from '#shared/contract/rollout.ts';
import { ActionButton } from '../forms/action-button.tsx';
import { KeptPage } from '../forms/leave-question.tsx';
import { useUndoNotice } from '../history/undo-button.tsx';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { useOperator } from '../session/use-operator.ts';
import { lazyPart } from '../shell/lazy-part.tsx';
import { useApplicationUpdate } from './use-application-update.ts';

const RolloutForecast = lazyPart(() => import('./rollout-forecast.tsx'));
const RolloutDialog = lazyPart(() => import('./rollout-dialog.tsx'));

/** Sets the rollout percentage. Lowering it needs a confirmation, because users lose access; so does whatever needs a reason. */
export default function RolloutTab({ application }: { readonly application: ApplicationView }) {
  const { appId, name, rolloutPercent, requireReason } = application;
  // Nothing is typed at first, and after a change, so that the field follows an undo.
  const [typed, setText] = useState<string>();
  const text = typed ?? String(rolloutPercent);
  const [asking, setAsking] = useState(false);
  const offerUndo = useUndoNotice();
  const change = useApplicationUpdate(application, ({ changeId, rolloutPercent: now }) => {
    const summary = `Rollout of ${name} changed from ${rolloutPercent}% to ${now}%.`;
    offerUndo(`rollout-${appId}`, { appId, changeId, summary });
    setAsking(false);
    setText(undefined);
  });
  const { may, missingRole, needsReason } = useOperator();
  const missing = missingRole('update-application', appId);
  const percent = readPercent(text);
  const save = (to: number) => {
    if (to < rolloutPercent || needsReason(requireReason)) setAsking(true);
    else change.mutate({ rolloutPercent: to });
  };
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="Raising the percentage only adds users. It does not affect users you allowed or blocked one by one."
        >
          Rollout
        </Header>
      }
    >
      <SpaceBetween size="m">
        <Box>
          {name} allows <strong>{rolloutPercent}%</strong> of the users who have no setting of their own.
        </Box>
        {missing !== undefined && <Box color="text-body-secondary">{missing}</Box>}
        {may('update-application', appId) && (
          <SpaceBetween size="m">
            <Slider
              min={0}
              max={fullRollout}
              value={Math.round(percent ?? rolloutPercent)}
              ariaLabel="Rollout percentage"
              valueFormatter={(value) => `${value}%`}
              referenceValues={[25, 50, 75]}
              onChange={({ detail }) => setText(String(detail.value))}
            />
            <KeptPage name="rollout" isPending={change.isPending} isSaved={percent === rolloutPercent}>
              <FormField
                label="Percentage of users"
                constraintText={`0–${fullRollout}, with up to two decimals`}
                errorText={
                  percent === undefined ? `Enter a number from 0 to ${fullRollout} with up to two decimals.` : ''
                }
              >
                <Input value={text} inputMode="decimal" onChange={({ detail }) => setText(detail.value)} />
              </FormField>
            </KeptPage>
            <Suspense>
              <RolloutForecast appId={appId} from={rolloutPercent} to={percent} />
            </Suspense>
            <ActionButton
              operation="update-application"
              appId={appId}
              variant="primary"
              loading={change.isPending && !asking}
              disabled={percent === undefined || percent === rolloutPercent}
              disabledReason="Enter another percentage."
              onClick={() => percent !== undefined && save(percent)}
            >
              Save percentage
            </ActionButton>
          </SpaceBetween>
        )}
        {!asking && <ProblemAlert error={change.error} />}
      </SpaceBetween>
      {asking && percent !== undefined && (
        <Suspense>
          <RolloutDialog application={application} to={percent} change={change} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </Container>
  );
}

/** Undefined while the text is not a percentage. */
function readPercent(text: string): number | undefined {
  const percent = /^\d{1,3}(?:\.\d{1,2})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  return percent <= fullRollout ? percent : undefined;
}
