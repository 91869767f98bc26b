import type { Resolvers } from '../../generated.ts'
import type { EventPorts } from './event-ports.ts'
import { listDeadLetters } from './list-dead-letters.ts'
import { replayDeadLetter } from './replay-dead-letter.ts'
import { replayDeadLetters } from './replay-all-dead-letters.ts'

export function eventResolvers(ports: EventPorts): Resolvers {
  return {
    Query: {
      deadLetters: async (_root, page, context) => listDeadLetters(ports, await context.actor(), page),
    },
    Mutation: {
      replayDeadLetter: async (_root, { id }, context) => replayDeadLetter(ports, await context.actor(), id),
      replayDeadLetters: async (_root, _arguments, context) => replayDeadLetters(ports, await context.actor()),
    },
  }
}
