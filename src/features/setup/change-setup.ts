import type { Asker } from '../../access/actor.ts'
import type { Audit } from '../../ports/audit.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import type { SetupState, SetupStepName } from './setup-state.ts'
import type { SetupStore } from './setup-store.ts'

export type SetupChange = { readonly kind: 'COMPLETE' | 'REOPEN'; readonly step: SetupStepName } | { readonly kind: 'DISMISS' | 'RESET' }

/** Changes the wizard's state and answers it as it then stands. Errors: STORE_UNAVAILABLE. */
export type ChangeSetup = (asker: Asker, change: SetupChange) => Promise<SetupState>

export type ChangeSetupOptions = { readonly setup: SetupStore; readonly audit: Audit; readonly clock: Clock }

export function createChangeSetup({ setup, audit, clock }: ChangeSetupOptions): ChangeSetup {
  const apply = ({ principal: { workspaceId, memberId } }: Asker, change: SetupChange): Promise<void> => {
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
  return async (asker, change) => {
    const { userId, memberId, workspaceId } = asker.principal
    await apply(asker, change)
    await audit.record(workspaceId, {
      actor: { userId, memberId, ip: asker.clientAddress },
      action: `setup.${pastTense[change.kind]}`,
      target: 'step' in change ? { kind: 'setup-step', id: change.step } : null,
      details: {},
    })
    return setup.read(workspaceId)
  }
}

const pastTense = { COMPLETE: 'completed', REOPEN: 'reopened', DISMISS: 'dismissed', RESET: 'reset' } as const
