import type { Principals } from '../features/auth/principals.ts'
import type { Resolvers } from '../generated.ts'
import type { SessionPorts } from '../features/sessions/session-ports.ts'
import type { Settings } from '../settings/settings.ts'
import { createKeptPasswords, type KeptPasswords } from '../features/team/stored-passwords.ts'
import { createTeamResolvers } from '../features/team/resolvers.ts'
import { createTeam, type Team } from '../features/team/team.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { WiredPorts } from './ports.ts'

/** The resolvers, the principals with an eye on invite links that were left open, and what reports those. */
export type TeamFeature = { readonly resolvers: Resolvers; readonly principals: Principals; readonly report: Team['reportLeftOpen'] }

export function createPasswords({ temporaryPasswordHours }: Settings, { store, clock, boxFor }: Infrastructure): KeptPasswords {
  return createKeptPasswords({ store, clock, box: boxFor('temporary passwords'), lifetimeMs: temporaryPasswordHours * 3_600_000 })
}

export function createTeamFeature(
  settings: Settings,
  infrastructure: Infrastructure,
  parts: {
    readonly ports: WiredPorts
    readonly sessionPorts: SessionPorts
    readonly principals: Principals
    readonly passwords: KeptPasswords
  },
): TeamFeature {
  const { ports, sessionPorts, principals, passwords } = parts
  const { members: directory, teamAgents: agents, identity, configuration } = ports
  const box = infrastructure.boxFor('team')
  const isShared = settings.redisUrl !== null
  const team = createTeam({
    ...infrastructure,
    directory,
    agents,
    identity,
    configuration,
    sessionPorts,
    principals,
    passwords,
    isShared,
    box,
  })
  return {
    resolvers: createTeamResolvers(team),
    report: () => team.reportLeftOpen(),
    principals: {
      ...principals,
      async resolve(accessToken) {
        const principal = await principals.resolve(accessToken)
        team.seen({ principal, accessToken })
        return principal
      },
    },
  }
}
