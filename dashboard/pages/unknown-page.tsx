import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import { RouteLink } from '../shell/route-link.tsx';
import { usePageTitle } from '../shell/use-page-title.ts';

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
