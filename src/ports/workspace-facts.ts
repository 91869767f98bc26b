import type { PlatformSection } from './configuration/platform.ts'

/** What the configuration's test asks of a workspace's records and their schema, with the rights of the token. Errors as the endpoint's. */
export type WorkspaceFacts = {
  readonly rootFields: (accessToken: string) => Promise<readonly string[]>
  readonly readablePasswords: (accessToken: string, section: PlatformSection) => Promise<readonly string[]>
  readonly countMembers: (accessToken: string) => Promise<number>
}
