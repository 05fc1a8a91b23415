import Box from '@cloudscape-design/components/box';
import { applicationPath } from '../shell/page-paths.ts';
import { RouteLink } from '../shell/route-link.tsx';

/** An application in a list: the name as a link, with the ID below if it differs. */
export function AppCell({ appId, name }: { readonly appId: string; readonly name: string }) {
  return (
    <div className="break">
      <RouteLink to={applicationPath(appId)}>{name}</RouteLink>
      {name !== appId && (
        <Box variant="small" display="block">
          {appId}
        </Box>
      )}
    </div>
  );
}
