/** Finds the workspace of a name or a key, without a person's token. */
export type Workspaces = {
  /** The id of the workspace with this subdomain (a platform with one workspace answers that one); null if there is none. */
  readonly idOf: (subdomain: string) => Promise<string | null>
  /** The id of the workspace that an API key belongs to; null if the platform refuses the key. */
  readonly ownerOfApiKey: (apiKey: string) => Promise<string | null>
}
