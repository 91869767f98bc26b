import { threadId } from 'node:worker_threads'
import type { ExecutionResult, Executor } from '@graphql-tools/utils'
import { GraphQLError, OperationTypeNode, print } from 'graphql'
import { z } from 'zod'
import type { FromWorker, ToWorker } from './messages.ts'

/** The operation of the client that a local operation belongs to. */
export type OperationId = { readonly id: number }

/** Runs our part of an operation where the resolvers are: in the service. */
export type LocalExecutor = {
  readonly execute: Executor<OperationId>
  receive(answer: ToWorker & { readonly type: 'localAnswer' }): void
}

type Call = { readonly id: number; readonly call: number; readonly source: string; readonly variables: object }

export function createLocalExecutor(post: (message: FromWorker) => void): LocalExecutor {
  const waiting = new Map<number, (answer: string) => void>()
  // Unique over all threads of the process: a late answer to a call of an earlier thread must not answer a call of this one.
  let lastCall = threadId * 2 ** 32
  const answerTo = (message: FromWorker & { readonly call: number }): Promise<string> =>
    new Promise((resolve) => {
      waiting.set(message.call, resolve)
      post(message)
    })
  /** Asks for one answer at a time, so that a slow reader slows the source. */
  const stream = (started: Call): AsyncIterable<ExecutionResult> => {
    const { call } = started
    post({ type: 'localStream', ...started })
    const source = {
      async pull(controller: ReadableStreamDefaultController<ExecutionResult>) {
        const answer = await answerTo({ type: 'localNext', call })
        if (answer === '') controller.close()
        else controller.enqueue(readAnswer(answer))
      },
      cancel: () => post({ type: 'localStop', call }),
    }
    return new ReadableStream(source, { highWaterMark: 0 })
  }
  return {
    execute({ document, variables, context, info, operationType }) {
      if (!context) throw new TypeError('A local operation needs the context of its request')
      lastCall += 1
      const call = { id: context.id, call: lastCall, source: print(document), variables: variables ?? {} }
      if (operationType === OperationTypeNode.SUBSCRIPTION) return stream(call)
      const added = info !== undefined && info.path.prev !== undefined
      return answerTo({ type: 'local', ...call, added }).then(readAnswer)
    },
    receive({ call, answer }) {
      waiting.get(call)?.(answer)
      waiting.delete(call)
    },
  }
}

const answerSchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        path: z.array(z.union([z.string(), z.number()])).optional(),
        extensions: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .optional(),
})

function readAnswer(text: string): ExecutionResult {
  const { data, errors } = answerSchema.parse(JSON.parse(text))
  return {
    ...(data !== undefined && { data }),
    ...(errors && {
      errors: errors.map(
        ({ message, path, extensions }) => new GraphQLError(message, { ...(path && { path }), ...(extensions && { extensions }) }),
      ),
    }),
  }
}
