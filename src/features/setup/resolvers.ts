import type { RequestContext } from '../../access/request-context.ts'
import type { Resolvers, SetupChange as SetupChangeInput } from '../../generated.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { changeSetup, type SetupChange } from './change-setup.ts'
import { detectedSetup, isWizardRequired } from './detected-setup.ts'
import { provision } from './provision.ts'
import type { SetupPorts } from './setup-ports.ts'
import type { SetupState } from './setup-state.ts'
import { readSetup } from './setup-store.ts'

export function setupResolvers(ports: SetupPorts): Resolvers {
  const withDetection = (state: SetupState, context: RequestContext) => detectedSetup(ports, () => context.actor(), state)
  const change = async (wanted: SetupChange, context: RequestContext) =>
    withDetection(await changeSetup(ports, await context.actor(), wanted), context)

  return {
    SetupState: { id: () => 'setup', wizardRequired: isWizardRequired },
    SetupStep: {
      id: ({ step }) => step,
      detected: async ({ detect }) => (await detect()).complete,
      found: async ({ detect }) => (await detect()).found,
    },
    Query: {
      async setupState(_source, _args, context) {
        return withDetection(await readSetup(ports.store, (await context.principal()).workspaceId), context)
      },
    },
    Mutation: {
      setupState: (_, { change: wanted }, context) => change(changeOf(wanted), context),
      setupStep: (_, { step, complete }, context) => change({ kind: complete ? 'COMPLETE' : 'REOPEN', step }, context),
      provision: async (_, { apply }, context) => provision(ports, await context.actor(), { apply, signal: context.signal }),
    },
  }
}

function changeOf({ complete, reopen, dismiss, reset }: SetupChangeInput): SetupChange {
  if (complete) return { kind: 'COMPLETE', step: complete }
  if (reopen) return { kind: 'REOPEN', step: reopen }
  if (dismiss === false || reset === false) throw invalidInput(`change.${dismiss === false ? 'dismiss' : 'reset'}`, 'must be true')
  return { kind: dismiss ? 'DISMISS' : 'RESET' }
}
