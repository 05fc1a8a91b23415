import TopNavigation, { type TopNavigationProps } from '@cloudscape-design/components/top-navigation';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { chooseTheme, chosenTheme, type Theme, themes } from './theme.ts';

const labels: Readonly<Record<Theme, string>> = { system: 'System default', light: 'Light', dark: 'Dark' };

/** Links to the lists, the theme menu and the log-out menu. */
export function TopBar({ name }: { readonly name: string }) {
  const navigate = useNavigate();
  const { session } = useSession();
  const { roles } = useOperator();
  const [theme, setTheme] = useState(chosenTheme);
  const follow = (event: CustomEvent<{ href?: string }>, to: string) => {
    event.preventDefault();
    navigate(to);
  };
  const link = (text: string, to: string): TopNavigationProps.Utility => ({
    type: 'button',
    text,
    href: to,
    onClick: (event) => follow(event, to),
  });
  const themeMenu: TopNavigationProps.Utility = {
    type: 'menu-dropdown',
    text: 'Theme',
    iconName: 'settings',
    ariaLabel: 'Theme',
    items: themes.map((id) => ({ id, text: labels[id], itemType: 'checkbox', checked: id === theme })),
    onItemClick: ({ detail }) => {
      const chosen = themes.find((id) => id === detail.id) ?? 'system';
      chooseTheme(chosen);
      setTheme(chosen);
    },
  };
  const operatorMenu: TopNavigationProps.Utility = {
    type: 'menu-dropdown',
    text: name,
    ...(roles !== undefined && { description: roles }),
    iconName: 'user-profile',
    items: [{ id: 'log-out', text: 'Log out' }],
    onItemClick: () => void session.logOut(),
  };
  return (
    <TopNavigation
      identity={{ href: '/users', title: 'Access administration', onFollow: (event) => follow(event, '/users') }}
      utilities={[link('Users', '/users'), link('Applications', '/applications'), themeMenu, operatorMenu]}
      i18nStrings={{ overflowMenuTriggerText: 'Menu', overflowMenuTitleText: 'Menu' }}
    />
  );
}
