import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Slider from '@cloudscape-design/components/slider';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApplicationView } from '#shared/contract/application.ts';
import { fullRollout } from '#shared/contract/rollout.ts';
import { hasCode } from '../api/problem-error.ts';
import { queryKeys } from '../api/queries.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { useWriter } from '../session/dashboard-context.ts';
import { useNotices } from '../shell/notices.tsx';

/** Opens an application to a part of the users; what would shut users out needs a confirmation. */
export default function RolloutTab({ application }: { readonly application: ApplicationView }) {
  const { appId, rolloutPercent } = application;
  const [text, setText] = useState(String(rolloutPercent));
  const [asking, setAsking] = useState(false);
  const change = useRollout(application, () => setAsking(false));
  const percent = readPercent(text);
  const save = (to: number) => (to < rolloutPercent ? setAsking(true) : change.mutate(to));
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="A higher percentage only adds users. Users who were turned on or off are not affected."
        >
          Rollout
        </Header>
      }
    >
      <SpaceBetween size="m">
        <Box>
          {appId} is open to <strong>{rolloutPercent} %</strong> of the users without a setting of their own.
        </Box>
        <Slider
          min={0}
          max={fullRollout}
          value={Math.round(percent ?? rolloutPercent)}
          ariaLabel="Rollout in percent"
          valueFormatter={(value) => `${value} %`}
          referenceValues={[25, 50, 75]}
          onChange={({ detail }) => setText(String(detail.value))}
        />
        <FormField
          label="Percent of the users"
          constraintText={`0 to ${fullRollout}, with at most two decimals`}
          errorText={percent === undefined ? `Must be a number from 0 to ${fullRollout} with at most two decimals` : ''}
        >
          <Input value={text} inputMode="decimal" onChange={({ detail }) => setText(detail.value)} />
        </FormField>
        <Button
          variant="primary"
          loading={change.isPending && !asking}
          disabled={percent === undefined || percent === rolloutPercent}
          onClick={() => percent !== undefined && save(percent)}
        >
          Save
        </Button>
        {!asking && <ProblemAlert error={change.error} />}
      </SpaceBetween>
      {asking && percent !== undefined && (
        <LowerDialog application={application} to={percent} change={change} onClose={() => setAsking(false)} />
      )}
    </Container>
  );
}

type RolloutMutation = ReturnType<typeof useRollout>;

interface LowerDialogProps {
  readonly application: ApplicationView;
  readonly to: number;
  readonly change: RolloutMutation;
  readonly onClose: () => void;
}

function LowerDialog({ application: { appId, rolloutPercent }, to, change, onClose }: LowerDialogProps) {
  const share = Math.round((rolloutPercent - to) * 100) / 100;
  return (
    <FormDialog
      title={`Lower the rollout of ${appId}`}
      verb={`Lower to ${to} %`}
      isPending={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate(to)}
      onClose={onClose}
    >
      <Alert type="warning">
        From {rolloutPercent} % to {to} %: about {share} % of the users without a setting of their own lose access at
        once. Raising it again lets the same users in.
      </Alert>
    </FormDialog>
  );
}

/** Sets the percentage of the version that is shown; where that is outdated, the application is read again. */
function useRollout({ appId, version }: ApplicationView, onDone: () => void) {
  const write = useWriter();
  const queryClient = useQueryClient();
  const { show } = useNotices();
  const queryKey = queryKeys.application(appId);
  return useMutation({
    mutationFn: (rolloutPercent: number) =>
      write('update-application', { path: { appId }, body: { rolloutPercent }, ifMatch: version }),
    onSuccess: (changed) => {
      queryClient.setQueryData(queryKey, changed);
      const content = `${appId} is open to ${changed.rolloutPercent} % of the users.`;
      show({ id: `rollout-${appId}`, type: 'success', content, seconds: 10 });
      onDone();
    },
    onError: (error) => {
      if (hasCode(error, 'version_mismatch')) void queryClient.invalidateQueries({ queryKey, exact: true });
    },
  });
}

/** Undefined while the text is no percentage. */
function readPercent(text: string): number | undefined {
  const percent = /^\d{1,3}(?:\.\d{1,2})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  return percent <= fullRollout ? percent : undefined;
}
