import { useState } from 'react';
import type { ChangeUsersProps } from '../options/option-pages.ts';
import { registeredPages } from '../options/registered-pages.ts';
import { useOperator } from '../session/use-operator.ts';

const Button = registeredPages.find(({ changeUsers }) => changeUsers !== undefined)?.changeUsers;

/** The button of an option that changes many users; nothing if no option does. */
export function ChangeUsers(props: ChangeUsersProps) {
  return Button && <Button {...props} />;
}

/** The selection in a list of users, of an application if one is given; undefined if the operator can do nothing with it. */
export function useSelectedUsers<User>(appId?: string) {
  const { mayInAny } = useOperator();
  const [selected, onSelect] = useState<readonly User[]>([]);
  const isUseful = Button !== undefined && mayInAny('set-access-in-bulk', appId);
  return { selected, selection: isUseful ? { selected, onSelect } : undefined };
}
