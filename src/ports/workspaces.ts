/** Which workspace a name or a key stands for, asked without a person's token. */
export type Workspaces = {
  /** The id of the workspace with this subdomain (a platform with one workspace answers that one); null where there is none. */
  readonly idOf: (subdomain: string) => Promise<string | null>
  /** The id of the workspace that an API key belongs to; null where the platform does not take the key. */
  readonly ownerOfApiKey: (apiKey: string) => Promise<string | null>
}
