/** The file with a test's Cloudflare and Turso accounts. The stand-ins for their tools read and write it. */

interface StoredWorker {
  secrets: Record<string, string>;
  config: Record<string, unknown> & { vars: Record<string, string> };
}

/** What the stand-ins for wrangler, Cloudflare's API, the DNS and Turso's command line store. */
export interface StoredAccount {
  isSignedIn: boolean;
  /** Workers Paid by default. */
  plan?: 'free';
  /** Whether the sign-in may not read the plan. */
  hidesPlan?: boolean;
  /** `off`: never enabled. `stuck`: enabled, but the upload of a Worker does not see it (10136). */
  r2?: 'off' | 'stuck';
  /** Whether a newer version of the Worker is not deployed yet, which blocks changes of secrets. */
  hasUndeployedVersion?: boolean;
  sendingDomains: string[];
  /** The accounts that the deployer may use, of which this is the first. By default there is only one. */
  accountIds?: string[];
  zones?: { name: string; status: string; settings: Record<string, string>; fight_mode: boolean }[];
  /** Maps a host to its Worker. */
  domains?: Record<string, string>;
  /** The public DNS, by name and type: `agency.example MX`. */
  dns?: Record<string, string[]>;
  /** The widgets created for Turnstile. */
  widgets?: object[];
  turso?: { isSignedIn: boolean; location?: string; databases: Record<string, string> };
  /** By branch and Worker. */
  previews?: Record<string, { previews: Record<string, unknown>; secrets: Record<string, string> }>;
  workers: Record<string, StoredWorker>;
}
