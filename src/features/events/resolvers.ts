import type { RequestContext } from '../../access/request-context.ts'
import type { Resolvers } from '../../generated.ts'
import type { createListDeadLetters } from './list-dead-letters.ts'
import type { createReplayDeadLetters, Replaying } from './replay-dead-letters.ts'

export type EventUseCases = {
  readonly listDeadLetters: ReturnType<typeof createListDeadLetters>
  readonly replayDeadLetters: ReturnType<typeof createReplayDeadLetters>
}

export function createEventResolvers({ listDeadLetters, replayDeadLetters }: EventUseCases): Resolvers {
  return {
    Query: {
      async deadLetters(_root, { first, after }, context) {
        const { workspaceId } = await context.principal()
        return listDeadLetters(workspaceId, { first, after: after ?? null })
      },
    },
    Mutation: {
      replayDeadLetter: async (_root, { id }, context) => replayDeadLetters.one(id, await replayingOf(context)),
      replayDeadLetters: async (_root, _args, context) => replayDeadLetters.all(await replayingOf(context)),
    },
  }
}

async function replayingOf(context: RequestContext): Promise<Replaying> {
  return { manager: await context.principal(), ip: context.clientAddress }
}
