/** An example application, with its roles and their descriptions. */
export interface ExampleApplication {
  readonly appId: string;
  readonly name: string;
  readonly roles: Readonly<Record<string, string>>;
}

/** An example user, with the roles, block and status that operators set. */
export interface ExampleUser {
  readonly userId: string;
  readonly displayName: string;
  readonly email: string;
  /** Role names by application. */
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  readonly blocked?: { readonly appId: string; readonly reason: string };
  /** Why the user is inactive; absent for an active user. */
  readonly inactive?: string;
}

/** The first application owns the example's API key. */
export const exampleApplications: readonly [ExampleApplication, ...ExampleApplication[]] = [
  {
    appId: 'billing',
    name: 'Billing',
    roles: {
      viewer: 'Sees invoices and payments',
      editor: 'Writes and corrects invoices',
      admin: 'Closes the month and changes price lists',
    },
  },
  {
    appId: 'crm',
    name: 'CRM',
    roles: { sales: 'Works with their own customers', manager: 'Sees all customers and reassigns them' },
  },
  {
    appId: 'warehouse',
    name: 'Warehouse',
    roles: { picker: 'Works through picking lists', 'stock-keeper': 'Corrects stock levels' },
  },
  { appId: 'wiki', name: 'Wiki', roles: { editor: 'Writes and corrects pages' } },
];

/** `ada` and `auth0|123` have no roles in `billing`, because the documents' examples assign them. */
export const exampleUsers: readonly ExampleUser[] = [
  { userId: 'ada', displayName: 'Ada Lindqvist', email: 'ada.lindqvist@example.com', roles: { crm: ['manager'] } },
  {
    userId: 'grace',
    displayName: 'Grace Mbeki',
    email: 'grace.mbeki@example.com',
    roles: { billing: ['editor', 'admin'], crm: ['sales'] },
  },
  {
    userId: 'alan',
    displayName: 'Alan Fischer',
    email: 'alan.fischer@example.com',
    roles: { billing: ['viewer'], warehouse: ['picker'] },
    blocked: { appId: 'billing', reason: 'Moved to the warehouse team' },
  },
  { userId: 'auth0|123', displayName: 'Katarina Novak', email: 'katarina.novak@example.com' },
  {
    userId: 'jonas',
    displayName: 'Jonas Weber',
    email: 'jonas.weber@example.com',
    roles: { billing: ['viewer'] },
    inactive: 'Left the company',
  },
  {
    userId: 'mei',
    displayName: 'Mei Tanaka',
    email: 'mei.tanaka@example.com',
    roles: { billing: ['viewer'], warehouse: ['stock-keeper'] },
  },
  {
    userId: 'omar',
    displayName: 'Omar Haddad',
    email: 'omar.haddad@example.com',
    roles: { crm: ['sales'] },
    blocked: { appId: 'crm', reason: 'Laptop reported stolen' },
  },
  {
    userId: 'priya',
    displayName: 'Priya Nair',
    email: 'priya.nair@example.com',
    roles: { billing: ['editor'], crm: ['sales'] },
  },
];
