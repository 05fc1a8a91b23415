import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import { usePageTitle } from '../shell/frame.tsx';
import { RouteLink } from '../shell/route-link.tsx';

/** For an unknown URL. */
export default function UnknownPage() {
  usePageTitle('Page not found');
  return (
    <>
      <Header variant="h1">Page not found</Header>
      <Box>
        <RouteLink to="/users">Go to users</RouteLink>
      </Box>
    </>
  );
}
