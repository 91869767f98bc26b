import type { PlatformSection } from './configuration/platform.ts'

/** Facts about a workspace's records and schema, with the rights of the token. Errors: those of the platform. */
export type WorkspaceFacts = {
  readonly rootFields: (accessToken: string) => Promise<readonly string[]>
  readonly readablePasswords: (accessToken: string, section: PlatformSection) => Promise<readonly string[]>
  readonly countMembers: (accessToken: string) => Promise<number>
}
