import type { RequestContext } from '../../access/request-context.ts'
import type { Resolvers, SetupChange as SetupChangeInput } from '../../generated.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { changeSetup, type SetupChange } from './change-setup.ts'
import { detectStep } from './detect-step.ts'
import type { DetectedStep } from './detected-step.ts'
import { provision } from './provision.ts'
import type { SetupPorts } from './setup-ports.ts'
import type { SetupState } from './setup-state.ts'
import { readSetup } from './setup-store.ts'

export function setupResolvers(ports: SetupPorts): Resolvers {
  const withDetection = (state: SetupState, context: RequestContext) => ({
    ...state,
    steps: state.steps.map((step): DetectedStep => ({
      ...step,
      detect: once(async () => detectStep(ports, await context.actor(), step.step)),
    })),
  })
  const change = async (wanted: SetupChange, context: RequestContext) =>
    withDetection(await changeSetup(ports, await context.actor(), wanted), context)

  return {
    SetupState: { id: () => 'setup' },
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

/** Runs the step on the first call only; later calls get the same result. */
function once<T>(step: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => (running ??= step())
}
