/** The file with a test's Cloudflare and Turso accounts. The stand-ins for their tools read and write it. */

interface StoredWorker {
  secrets: Record<string, string>;
  config: Record<string, unknown> & { vars: Record<string, string> };
}

/** What the stand-ins for wrangler, Cloudflare's API, the DNS and Turso's command line store. */
export interface StoredAccount {
  isSignedIn: boolean;
  /** Whether Cloudflare does not answer. */
  isUnreachable?: boolean;
  /** Whether wrangler reports no permissions, as with an API token. */
  hidesPermissions?: boolean;
  /** The permissions that the person removed while signing in. */
  lacksPermissions?: string[];
  /** Workers Paid by default. */
  plan?: 'free';
  /** `off`: never enabled. `stuck`: enabled, but not seen by the upload of a Worker (10136). */
  r2?: 'off' | 'stuck';
  /** Whether a Worker may not use Images. */
  refusesImages?: boolean;
  /** Whether the upload of the site fails, although the account has everything that it needs. */
  failsUploads?: boolean;
  /** Whether deleting a Worker fails. */
  keepsWorkers?: boolean;
  /** Whether a newer version of the Worker is not deployed yet, which blocks changes of secrets. */
  hasUndeployedVersion?: boolean;
  sendingDomains: string[];
  /** The accounts that the deployer may use. This account is the first. By default, there is only one. */
  accountIds?: string[];
  zones?: { name: string; status: string; settings: Record<string, string>; fight_mode: boolean }[];
  /** Maps a host to its Worker. */
  domains?: Record<string, string>;
  /** The public DNS, by name and type: `agency.example MX`. */
  dns?: Record<string, string[]>;
  /** The widgets created for Turnstile. */
  widgets?: object[];
  /** Whether creating a widget fails. */
  refusesWidgets?: boolean;
  /** Whether wrangler hides its token. */
  hidesToken?: boolean;
  turso?: { isSignedIn: boolean; location?: string; databases: Record<string, string> };
  /** By branch and Worker. */
  previews?: Record<string, { previews: Record<string, unknown>; secrets: Record<string, string> }>;
  workers: Record<string, StoredWorker>;
}
