import type { Actor } from '../../access/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import { lastTestResult } from '../configuration/connection-test-results.ts'
import type { Detection } from './detected-step.ts'
import type { SetupPorts } from './setup-ports.ts'
import type { SetupStepName } from './setup-state.ts'

type DetectionPorts = Pick<SetupPorts, 'configuration' | 'store' | 'fingerprintKey' | 'workspaceFacts'>

/** Finds out whether a step is complete. An error is a detection with `complete: null`. */
export async function detectStep(ports: DetectionPorts, actor: Actor, step: SetupStepName): Promise<Detection> {
  try {
    return await detections[step](ports, actor)
  } catch (error) {
    if (error instanceof AppError) return { complete: null, found: error.message }
    throw error
  }
}

const detections: { readonly [Step in SetupStepName]: (ports: DetectionPorts, actor: Actor) => Promise<Detection> } = {
  PLATFORM: (ports, { principal }) => detectTest(ports, principal.workspaceId, 'platform'),
  TELEPHONY: (ports, { principal }) => detectTest(ports, principal.workspaceId, 'telephony'),
  AI: (ports, { principal }) => detectTest(ports, principal.workspaceId, 'ai'),
  async BRAND({ configuration }, { principal }) {
    const { brand } = await configuration.read(principal.workspaceId, 'theme')
    return { complete: brand.hospitalName !== null, found: brand.hospitalName ?? 'The theme has no hospital name' }
  },
  async TEAM({ workspaceFacts }, { accessToken }) {
    const members = await workspaceFacts.countMembers(accessToken)
    return { complete: members >= 2, found: members === 1 ? 'One member' : `${members} members` }
  },
  async WIDGET({ configuration }, { principal }) {
    const { enabled } = await configuration.read(principal.workspaceId, 'widget')
    return { complete: enabled, found: enabled ? 'The widget is switched on' : 'The widget is switched off' }
  },
}

async function detectTest(ports: DetectionPorts, workspaceId: string, section: 'platform' | 'telephony' | 'ai'): Promise<Detection> {
  const values = await ports.configuration.read(workspaceId, section)
  const result = await lastTestResult(ports, { target: { workspaceId, section }, values })
  if (result === null) return { complete: false, found: 'The present values were not tested' }
  return { complete: result.ok, found: `The test ${result.ok ? 'passed' : 'failed'} at ${result.at}` }
}
