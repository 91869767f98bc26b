import type { Actor } from '../../access/actor.ts'
import type { Audit } from '../../ports/audit.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import type { SetupState, SetupStepName } from './setup-state.ts'
import type { SetupStore } from './setup-store.ts'

export type SetupChange = { readonly kind: 'COMPLETE' | 'REOPEN'; readonly step: SetupStepName } | { readonly kind: 'DISMISS' | 'RESET' }

/** Changes the wizard's state and answers it as it then stands. Errors: STORE_UNAVAILABLE. */
export type ChangeSetup = (actor: Actor, change: SetupChange) => Promise<SetupState>

export type ChangeSetupOptions = { readonly setup: SetupStore; readonly audit: Audit; readonly clock: Clock }

export function createChangeSetup({ setup, audit, clock }: ChangeSetupOptions): ChangeSetup {
  const apply = ({ principal: { workspaceId, memberId } }: Actor, change: SetupChange): Promise<void> => {
    switch (change.kind) {
      case 'COMPLETE':
        return setup.complete(workspaceId, change.step, { completedAt: isoMoment(clock.now()), completedBy: memberId })
      case 'REOPEN':
        return setup.reopen(workspaceId, change.step)
      case 'DISMISS':
        return setup.dismiss(workspaceId)
      case 'RESET':
        return setup.reset(workspaceId)
    }
  }
  return async (actor, change) => {
    const { userId, memberId, workspaceId } = actor.principal
    await apply(actor, change)
    await audit.record(workspaceId, {
      actor: { userId, memberId, ip: actor.clientAddress },
      action: `setup.${pastTense[change.kind]}`,
      target: 'step' in change ? { kind: 'setup-step', id: change.step } : null,
      details: {},
    })
    return setup.read(workspaceId)
  }
}

const pastTense = { COMPLETE: 'completed', REOPEN: 'reopened', DISMISS: 'dismissed', RESET: 'reset' } as const
