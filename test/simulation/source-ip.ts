/** The source address of every request. */
export const sourceIp = '192.0.2.7';
