import type { Actor } from '../../access/actor.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { ConnectionTestResults } from '../configuration/connection-test-results.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Detection } from './detected-step.ts'
import type { SetupStepName } from './setup-state.ts'

/** Looks at what a step is about; a look that fails is a detection that says so. */
export type DetectStep = (caller: Actor, step: SetupStepName) => Promise<Detection>

export type DetectStepOptions = {
  readonly configuration: Configuration
  readonly connectionTests: Pick<ConnectionTestResults, 'last'>
  /** How many members the caller's workspace has on the platform, as the caller may see them. */
  readonly countMembers: (accessToken: string) => Promise<number>
}

export function createDetectStep({ configuration, connectionTests, countMembers }: DetectStepOptions): DetectStep {
  const tried = async (workspaceId: string, section: 'platform' | 'telephony' | 'ai'): Promise<Detection> => {
    const record = await connectionTests.last({ workspaceId, section }, await configuration.read(workspaceId, section))
    if (record === null) return { complete: false, found: 'Not tested as it stands now' }
    return { complete: record.ok, found: `The test ${record.ok ? 'passed' : 'failed'} at ${record.at}` }
  }

  const look: { readonly [Step in SetupStepName]: (caller: Actor) => Promise<Detection> } = {
    PLATFORM: ({ principal }) => tried(principal.workspaceId, 'platform'),
    TELEPHONY: ({ principal }) => tried(principal.workspaceId, 'telephony'),
    AI: ({ principal }) => tried(principal.workspaceId, 'ai'),
    async BRAND({ principal }) {
      const { brand } = await configuration.read(principal.workspaceId, 'theme')
      return { complete: brand.hospitalName !== null, found: brand.hospitalName ?? 'The theme has no hospital name' }
    },
    async TEAM({ accessToken }) {
      const members = await countMembers(accessToken)
      return { complete: members >= 2, found: members === 1 ? 'One member' : `${members} members` }
    },
    async WIDGET({ principal }) {
      const { enabled } = await configuration.read(principal.workspaceId, 'widget')
      return { complete: enabled, found: enabled ? 'The widget is switched on' : 'The widget is switched off' }
    },
  }

  return async (caller, step) => {
    try {
      return await look[step](caller)
    } catch (error) {
      if (error instanceof AppError) return { complete: null, found: error.message }
      throw error
    }
  }
}
