/**
 * A file to begin with, as the page about the command line has it: a user with roles in two applications, one of them with an end;
 * a block; and a role that is removed.
 */
export const importSample = `userId,displayName,email,status,application,access,accessUntil,role,roleStatus,roleUntil
ada,Ada Lovelace,ada@example.com,active,billing,,,editor,,2027-06-30T22:00:00Z
ada,,,,crm,,,viewer,,
grace,Grace Hopper,,inactive,billing,disabled,,,,
alan,,,,billing,,,editor,revoked,
`;
