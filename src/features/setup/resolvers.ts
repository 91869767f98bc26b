import type { RequestContext } from '../../access/request-context.ts'
import { invalidInput } from '../../kernel/errors.ts'
import type { Resolvers, SetupChange as SetupChangeInput } from '../../generated.ts'
import type { ChangeSetup, SetupChange } from './change-setup.ts'
import type { DetectStep } from './detect-step.ts'
import type { DetectedStep } from './detected-step.ts'
import type { SetupState } from './setup-state.ts'
import type { SetupStore } from './setup-store.ts'
import type { Provision } from './provision.ts'

export type SetupUseCases = {
  readonly setupStore: SetupStore
  readonly changeSetup: ChangeSetup
  readonly detectStep: DetectStep
  readonly provision: Provision
}

export function createSetupResolvers({ setupStore, changeSetup, detectStep, provision }: SetupUseCases): Resolvers {
  const shown = (state: SetupState, context: RequestContext) => ({
    ...state,
    steps: state.steps.map((step): DetectedStep => ({ ...step, detect: once(async () => detectStep(await context.actor(), step.step)) })),
  })
  const change = async (wanted: SetupChange, context: RequestContext) => {
    return shown(await changeSetup(await context.actor(), wanted), context)
  }

  return {
    SetupStep: {
      detected: async ({ detect }) => (await detect()).complete,
      found: async ({ detect }) => (await detect()).found,
    },
    Query: {
      setupState: async (_source, _args, context) => shown(await setupStore.read((await context.principal()).workspaceId), context),
    },
    Mutation: {
      setupState: (_, { change: wanted }, context) => change(changeOf(wanted), context),
      setupStep: (_, { step, complete }, context) => change({ kind: complete ? 'COMPLETE' : 'REOPEN', step }, context),
      provision: async (_, { apply }, context) => provision(await context.actor(), { apply, signal: context.signal }),
    },
  }
}

function changeOf({ complete, reopen, dismiss, reset }: SetupChangeInput): SetupChange {
  if (complete) return { kind: 'COMPLETE', step: complete }
  if (reopen) return { kind: 'REOPEN', step: reopen }
  if (dismiss === false || reset === false) throw invalidInput(`change.${dismiss === false ? 'dismiss' : 'reset'}`, 'must be true')
  return { kind: dismiss ? 'DISMISS' : 'RESET' }
}

/** Runs the step when it is first asked for, and never again. */
function once<T>(step: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => (running ??= step())
}
