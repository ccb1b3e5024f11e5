/** The file that holds a test's Cloudflare and Turso accounts. The stand-ins for their tools read and write it. */

interface StoredWorker {
  secrets: Record<string, string>;
  config: Record<string, unknown> & { vars: Record<string, string> };
}

/** What the stand-ins for wrangler, Cloudflare's API, the DNS and Turso's command line keep. */
export interface StoredAccount {
  isSignedIn: boolean;
  /** Whether wrangler reports no permissions, as with an API token. */
  hidesPermissions?: boolean;
  /** The permissions that the person took out while signing in. */
  lacksPermissions?: string[];
  /** Workers Paid unless it says otherwise. */
  plan?: 'free';
  /** `off`: never switched on. `stuck`: switched on, and the upload of a Worker does not see it (10136). */
  r2?: 'off' | 'stuck';
  /** Whether a Worker may not use Images. */
  refusesImages?: boolean;
  /** Whether the upload of the site fails, although the account has all that it needs. */
  failsUploads?: boolean;
  /** Whether deleting a Worker fails. */
  keepsWorkers?: boolean;
  /** Whether a newer version of the Worker waits, which keeps secrets from being changed. */
  hasUndeployedVersion?: boolean;
  sendingDomains: string[];
  /** The accounts that the deployer may work in, of which this is the first; where it is absent, one alone. */
  accountIds?: string[];
  zones?: { name: string; status: string; settings: Record<string, string>; fight_mode: boolean }[];
  /** Which Worker a host leads to. */
  domains?: Record<string, string>;
  /** The public DNS, by name and type: `agency.example MX`. */
  dns?: Record<string, string[]>;
  /** What was made for Turnstile. */
  widgets?: object[];
  /** Whether creating a widget fails. */
  refusesWidgets?: boolean;
  /** Whether wrangler hides its token. */
  hidesToken?: boolean;
  turso?: { isSignedIn: boolean; location?: string; databases: Record<string, string> };
  /** By the branch and the Worker. */
  previews?: Record<string, { previews: Record<string, unknown>; secrets: Record<string, string> }>;
  workers: Record<string, StoredWorker>;
}
