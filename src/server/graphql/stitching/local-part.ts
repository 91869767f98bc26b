import { type DocumentNode, type ExecutionResult, parse } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { RequestContext } from '../../../access/request-context.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { LocalExecution } from '../local-execution.ts'
import { parsedBytes } from '../parsed-size.ts'
import type { FromWorker } from './messages.ts'

type Part = Pick<FromWorker & { readonly type: 'local' }, 'source' | 'variables'>

/** Runs our part of a stitched operation on the local schema. */
export type LocalPart = {
  /** The execution result as JSON. Never rejects, because the worker waits for the answer. `context`: null if the request is over. */
  run(message: Part, context: RequestContext | null): Promise<string>
  /** The answers of a subscription. Never throws. */
  stream(message: Part, context: RequestContext | null): AsyncGenerator<string>
}

/** Parses each text once. */
export function createLocalPart(local: LocalExecution): LocalPart {
  const documents = new LRUCache<string, DocumentNode>({
    max: 500,
    maxSize: 20_000_000,
    sizeCalculation: (document, text) => parsedBytes(text, document),
  })
  const documentOf = (source: string): DocumentNode => {
    const known = documents.get(source)
    if (known) return known
    const document = parse(source)
    documents.set(source, document)
    return document
  }
  return {
    async run({ source, variables }, context) {
      if (!context) return failure
      try {
        return asJson(await local.run({ document: documentOf(source), variables: { ...variables } }, context))
      } catch (error) {
        context.log.error({ err: error }, 'stitching.local-part-failed')
        return failure
      }
    },
    async *stream({ source, variables }, context) {
      if (!context) {
        yield failure
        return
      }
      try {
        const results = await local.subscribe({ document: documentOf(source), variables: { ...variables } }, context)
        for await (const result of results) yield asJson(result)
      } catch (error) {
        context.log.error({ err: error }, 'stitching.local-part-failed')
        yield failure
      }
    },
  }
}

function asJson({ data, errors }: ExecutionResult): string {
  return JSON.stringify({ data, errors: errors?.map((error) => error.toJSON()) })
}

const failure = JSON.stringify({
  data: null,
  errors: [{ message: new AppError('UNKNOWN').message, extensions: { code: 'INTERNAL_SERVER_ERROR', reason: 'UNKNOWN' } }],
})
