import Container from '@cloudscape-design/components/container';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { loginSamples, type SampleLogin } from './login-samples.ts';

/** Code to copy, for several frameworks, with what is known of the login filled in. */
export function LoginCode({ login }: { readonly login: SampleLogin }) {
  const [chosen, choose] = useState('express');
  const samples = loginSamples(login);
  const sample = samples.find(({ id }) => id === chosen);
  return (
    <Container
      header={
        <Header variant="h2" description="With the issuer and the client ID of this application filled in.">
          Code to copy
        </Header>
      }
    >
      <SpaceBetween size="s">
        <SegmentedControl
          label="Framework"
          options={samples.map(({ id, label }) => ({ id, text: label }))}
          selectedId={chosen}
          onChange={({ detail }) => choose(detail.selectedId)}
        />
        {sample && (
          <>
            <div className="code">
              <FormField label={`Code for ${sample.label}`} stretch>
                <Textarea value={sample.code} readOnly rows={18} spellcheck={false} />
              </FormField>
            </div>
            <CopyToClipboard
              copyButtonText="Copy code"
              textToCopy={sample.code}
              copySuccessText="Copied"
              copyErrorText="Copying failed. Select the text instead."
            />
          </>
        )}
      </SpaceBetween>
    </Container>
  );
}
