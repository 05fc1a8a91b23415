import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import { usePageTitle } from '../shell/frame.tsx';
import { RouteLink } from '../shell/route-link.tsx';

/** For an address that names no page. */
export default function UnknownPage() {
  usePageTitle('No such page');
  return (
    <>
      <Header variant="h1">There is no such page</Header>
      <Box>
        <RouteLink to="/users">To the users</RouteLink>
      </Box>
    </>
  );
}
