/** Options for a `__Host-` cookie: only this origin gets it, only over HTTPS, and scripts cannot read it. */
export const hostCookie = {
  httpOnly: true,
  secure: true,
  sameSite: 'Lax',
  path: '/',
  prefix: 'host',
} as const;
