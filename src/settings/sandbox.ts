import { SettingsError } from './environment.ts'
import { sandboxParties, type SandboxParty } from './values.ts'
import type { Settings } from './settings.ts'

/**
 * Which partners are stand-ins: those that SANDBOX names; without it all if PLATFORM_URL is not set, else none. Throws SettingsError under
 * NODE_ENV=production, and for settings that contradict each other.
 */
export function standInParties({ sandbox, production, platform, http }: Settings): readonly SandboxParty[] {
  const hasPlatform = platform.url !== ''
  if (production) {
    if (sandbox !== null)
      throw new SettingsError(['SANDBOX: is refused under NODE_ENV=production, because stand-ins play the partners that it names'])
    if (!hasPlatform) throw new SettingsError(['PLATFORM_URL: is required under NODE_ENV=production (without it the sandbox would start)'])
  }
  const parties = sandbox ?? (hasPlatform ? [] : sandboxParties)
  const playsPlatform = parties.includes('platform')
  if (playsPlatform && hasPlatform)
    throw new SettingsError(['SANDBOX: names the platform, but PLATFORM_URL is set too; remove one of them'])
  if (!playsPlatform && !hasPlatform) {
    throw new SettingsError(['PLATFORM_URL: is required, because SANDBOX does not name the platform'])
  }
  // The passwords of the platform's stand-in are known to everybody.
  if (playsPlatform && !['127.0.0.1', '::1', 'localhost'].includes(http.host))
    throw new SettingsError([`HOST: with the platform's stand-in the service listens on loopback only, not on ${http.host}`])
  return parties
}
