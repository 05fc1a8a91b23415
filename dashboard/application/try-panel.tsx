import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { getAccessOperation, setAccessOperation } from '#shared/contract/access.ts';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import { assignRoleOperation } from '#shared/contract/grant.ts';
import type { Scope, ServiceOperation } from '#shared/contract/operation.ts';
import type { ApiKey } from '../../client/client-key.ts';
import { signRequest } from '../../client/sign-request.ts';
import { Countdown } from '../lists/countdown.tsx';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { useConfig } from '../session/dashboard-context.ts';

/** The maximum age of a signature that the service accepts. */
const clockSkewMilliseconds = 300_000;

/** One sample request for each scope. Named one by one: all operations would be loaded with the first visit. */
const samples = [
  sampleOf(getAccessOperation, "Read a user's access", ''),
  sampleOf(setAccessOperation, "Block a user's access", '{"status":"disabled","reason":"test request"}'),
  sampleOf(assignRoleOperation, 'Assign the role editor', '{"role":"editor"}'),
] as const;

/** A sample request, signed in this browser with the new key, to paste into a shell. */
export function TryPanel({ issued }: { readonly issued: IssuedKeyView<string> }) {
  const { serviceUrl = location.origin } = useConfig();
  const offered = samples.filter(({ scope }) => issued.scopes.includes(scope));
  const [sample, setSample] = useState(offered[0] ?? samples[0]);
  const [userId, setUserId] = useState('ada');
  const signing = useMutation({
    mutationFn: async (request: SampleRequest) => {
      const headers = await signSample(request, issued);
      const until = new Date(Date.now() + clockSkewMilliseconds).toISOString();
      return { curl: toCurl(request, headers), until };
    },
  });
  const { data: signed, reset } = signing;
  return (
    <ExpandableSection headerText="Try it" headingTagOverride="h3">
      <SpaceBetween size="s">
        <FormField label="Request">
          <Select
            options={offered}
            selectedOption={sample}
            onChange={({ detail }) => {
              setSample(offered.find(({ value }) => value === detail.selectedOption.value) ?? sample);
              reset();
            }}
          />
        </FormField>
        <FormField label="User ID">
          <Input
            value={userId}
            onChange={({ detail }) => {
              setUserId(detail.value.trim());
              reset();
            }}
          />
        </FormField>
        <Button
          loading={signing.isPending}
          disabled={userId === ''}
          disabledReason="Enter a user ID."
          onClick={() => signing.mutate(toRequest(sample, serviceUrl, userId))}
        >
          Sign request
        </Button>
        <ProblemAlert error={signing.error} />
        {signed && (
          <SpaceBetween size="s">
            <FormField label="Signed request" stretch>
              <Textarea value={signed.curl} readOnly rows={8} spellcheck={false} />
            </FormField>
            <CopyToClipboard
              copyButtonText="Copy command"
              textToCopy={signed.curl}
              copySuccessText="Copied"
              copyErrorText="Copying failed. Select the text instead."
            />
            <Box variant="small">
              Valid once (<Countdown until={signed.until} />
              ). The command contains a signature, not the secret.
            </Box>
          </SpaceBetween>
        )}
      </SpaceBetween>
    </ExpandableSection>
  );
}

/** An option of the field for the request. */
interface Sample {
  readonly value: string;
  readonly label: string;
  readonly method: string;
  readonly path: string;
  readonly scope: Scope;
  readonly body: string;
}

function sampleOf({ name: value, method, path, scope }: ServiceOperation, label: string, body: string): Sample {
  return { value, label: `${label} (${method})`, method, path, scope, body };
}

/** An unsigned request to the Service API. */
interface SampleRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
}

function toRequest({ method, path, body }: Sample, serviceUrl: string, userId: string): SampleRequest {
  const url = new URL(serviceUrl.replace(/\/$/, '') + path.replace('{userId}', encodeURIComponent(userId)));
  return { method, url, body };
}

/** Signs a request with the SDK, and returns the headers to send. */
async function signSample({ method, url, body }: SampleRequest, key: ApiKey): Promise<Record<string, string>> {
  const content = body === '' ? {} : { body, headers: { 'content-type': 'application/json' } };
  const { headers } = await signRequest(new Request(url, { method, ...content }), key);
  return Object.fromEntries(headers);
}

/** The request as a curl command for a POSIX shell. */
function toCurl({ method, url, body }: SampleRequest, headers: Readonly<Record<string, string>>): string {
  const options = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const content = body === '' ? [] : [`-d ${quote(body)}`];
  return [`curl -sS -X ${method}`, ...options, ...content, quote(url.href)].join(' \\\n  ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
