/** `__Host-`: sent to this origin only, over HTTPS only, and out of reach of scripts. */
export const hostCookie = {
  httpOnly: true,
  secure: true,
  sameSite: 'Lax',
  path: '/',
  prefix: 'host',
} as const;
