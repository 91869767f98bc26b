import { type Actor, auditActor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import type { SetupPorts } from './setup-ports.ts'
import type { SetupState, SetupStepName } from './setup-state.ts'
import { completeStep, dismissSetup, readSetup, reopenStep, resetSetup } from './setup-store.ts'

export type SetupChange = { readonly kind: 'COMPLETE' | 'REOPEN'; readonly step: SetupStepName } | { readonly kind: 'DISMISS' | 'RESET' }
type ChangePorts = Pick<SetupPorts, 'store' | 'audit' | 'clock'>

/** Changes the wizard's state and returns the new state. Errors: STORE_UNAVAILABLE. */
export async function changeSetup(ports: ChangePorts, actor: Actor, change: SetupChange): Promise<SetupState> {
  const { workspaceId } = actor.principal
  await apply(ports, actor, change)
  await ports.audit.record(workspaceId, {
    actor: auditActor(actor),
    action: `setup.${pastTense[change.kind]}`,
    target: 'step' in change ? { kind: 'setup-step', id: change.step, name: null } : null,
    details: {},
  })
  return readSetup(ports.store, workspaceId)
}

function apply({ store, clock }: ChangePorts, { principal: { workspaceId, memberId } }: Actor, change: SetupChange): Promise<void> {
  switch (change.kind) {
    case 'COMPLETE':
      return completeStep(store, { workspaceId, step: change.step }, { completedAt: isoMoment(clock.now()), completedBy: memberId })
    case 'REOPEN':
      return reopenStep(store, workspaceId, change.step)
    case 'DISMISS':
      return dismissSetup(store, workspaceId)
    case 'RESET':
      return resetSetup(store, workspaceId)
  }
}

const pastTense = { COMPLETE: 'completed', REOPEN: 'reopened', DISMISS: 'dismissed', RESET: 'reset' } as const
