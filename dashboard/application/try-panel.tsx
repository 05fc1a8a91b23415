import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import type { IssuedKeyView } from '#shared/contract/management.ts';
import { useSubmit } from '../api/use-submit.ts';
import { Countdown } from '../lists/countdown.tsx';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { useConfig } from '../session/use-config.ts';
import { sign } from './sign.ts';
import { type TriedRequest, toCurl, trials, triedRequest } from './tried-request.ts';

/** How old the service lets a signature become. */
const clockSkewMilliseconds = 300_000;

/** A request with the new key, signed in this browser, to paste into a shell. */
export function TryPanel({ issued }: { readonly issued: IssuedKeyView }) {
  const { serviceUrl = location.origin } = useConfig();
  const offered = trials.filter(({ scope }) => issued.scopes.includes(scope));
  const [trial, setTrial] = useState(offered[0] ?? trials[0]);
  const [userId, setUserId] = useState('ada');
  const [signed, setSigned] = useState<{ readonly curl: string; readonly until: string }>();
  const { submit, pending, problem } = useSubmit(async (request: TriedRequest) => {
    const headers = await sign(request, issued);
    const until = new Date(Date.now() + clockSkewMilliseconds).toISOString();
    setSigned({ curl: toCurl(request, headers), until });
  });
  return (
    <ExpandableSection headerText="Try it" headingTagOverride="h3">
      <SpaceBetween size="s">
        <FormField label="Request">
          <Select
            options={offered}
            selectedOption={trial}
            onChange={({ detail }) => {
              setTrial(offered.find(({ value }) => value === detail.selectedOption.value) ?? trial);
              setSigned(undefined);
            }}
          />
        </FormField>
        <FormField label="User id">
          <Input
            value={userId}
            onChange={({ detail }) => {
              setUserId(detail.value.trim());
              setSigned(undefined);
            }}
          />
        </FormField>
        <Button
          loading={pending}
          disabled={userId === ''}
          onClick={() => submit(triedRequest(trial, serviceUrl, userId))}
        >
          Sign
        </Button>
        <ProblemAlert problem={problem} />
        {signed && (
          <SpaceBetween size="s">
            <FormField label="Signed request" stretch>
              <Textarea value={signed.curl} readOnly rows={8} spellcheck={false} />
            </FormField>
            <CopyToClipboard
              copyButtonText="Copy the command"
              textToCopy={signed.curl}
              copySuccessText="Copied"
              copyErrorText="It could not be copied. Select it instead."
            />
            <Box variant="small">
              Good once, for <Countdown until={signed.until} />. It holds a signature and not the secret.
            </Box>
          </SpaceBetween>
        )}
      </SpaceBetween>
    </ExpandableSection>
  );
}
