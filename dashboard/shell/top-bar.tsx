import TopNavigation, { type TopNavigationProps } from '@cloudscape-design/components/top-navigation';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { home } from '../options/registered-pages.ts';
import { useSession } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { lazyPart } from './lazy-part.tsx';
import { useIsNarrow } from './narrow-screen.ts';
import { isShortcutOn, searchLabel, switchShortcut, useShortcuts } from './search-shortcut.ts';
import { chooseTheme, chosenTheme, type Theme, themes } from './theme.ts';
import { useCurrentMark } from './use-current-mark.ts';
import { UserSearch } from './user-search.tsx';

const labels: Readonly<Record<Theme, string>> = { system: 'System default', light: 'Light', dark: 'Dark' };

const KeyboardHelp = lazyPart(() => import('./keyboard-help.tsx'));

const shortcutId = 'shortcut';

/** Links to the lists, the search, the settings and the log-out menu. */
export function TopBar({ name }: { readonly name: string }) {
  const navigate = useNavigate();
  const { session } = useSession();
  const { roles } = useOperator();
  const [theme, setTheme] = useState(chosenTheme);
  const [hasShortcut, setShortcut] = useState(isShortcutOn);
  const [isHelping, help] = useState(false);
  useShortcuts({ isOn: hasShortcut, onHelp: () => help(true) });
  const isNarrow = useIsNarrow();
  useCurrentMark();
  const follow = (event: CustomEvent<{ href?: string }>, to: string) => {
    event.preventDefault();
    navigate(to);
  };
  const link = (text: string, to: string, isMain = false): TopNavigationProps.Utility => ({
    type: 'button',
    text,
    href: to,
    // The bar folds its entries from the left: the main places stay while there is room for them.
    disableUtilityCollapse: isMain && !isNarrow,
    onClick: (event) => follow(event, to),
  });
  const settingsMenu: TopNavigationProps.Utility = {
    type: 'menu-dropdown',
    title: 'Settings',
    iconName: 'settings',
    ariaLabel: 'Settings',
    items: [
      {
        text: 'Theme',
        items: themes.map((id) => ({ id, text: labels[id], itemType: 'checkbox', checked: id === theme })),
      },
      {
        text: 'Keyboard',
        items: [{ id: shortcutId, text: 'Press / to search, ? for help', itemType: 'checkbox', checked: hasShortcut }],
      },
    ],
    onItemClick: ({ detail }) => {
      if (detail.id === shortcutId) {
        switchShortcut(!hasShortcut);
        setShortcut(!hasShortcut);
        return;
      }
      const chosen = themes.find((id) => id === detail.id) ?? 'system';
      chooseTheme(chosen);
      setTheme(chosen);
    },
  };
  const helpMenu: TopNavigationProps.Utility = {
    type: 'menu-dropdown',
    title: 'Help',
    iconName: 'support',
    ariaLabel: 'Help',
    items: [
      {
        id: 'docs',
        text: 'Documentation',
        href: '/docs',
        external: true,
        externalIconAriaLabel: '(opens in a new tab)',
      },
      { id: 'keys', text: 'Keyboard' },
    ],
    onItemClick: ({ detail }) => detail.id === 'keys' && help(true),
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
    <>
      <TopNavigation
        identity={{ href: '/', title: 'Access administration', onFollow: (event) => follow(event, home.to) }}
        utilities={[
          ...(home.to === '/users' ? [] : [link(home.text, home.to, true)]),
          link('Users', '/users', true),
          link('Applications', '/applications', true),
          link('Keys', '/keys'),
          link('History', '/history'),
          helpMenu,
          settingsMenu,
          operatorMenu,
        ]}
        search={<UserSearch hint={hasShortcut ? ' (press /)' : ''} />}
        i18nStrings={{
          searchIconAriaLabel: searchLabel,
          searchDismissIconAriaLabel: 'Close search',
          overflowMenuTriggerText: 'Menu',
          overflowMenuTitleText: 'Menu',
          overflowMenuBackIconAriaLabel: 'Back to menu',
          overflowMenuDismissIconAriaLabel: 'Close menu',
        }}
      />
      {isHelping && (
        <Suspense>
          <KeyboardHelp onClose={() => help(false)} />
        </Suspense>
      )}
    </>
  );
}
