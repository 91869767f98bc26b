import type { AnswerVisitor } from '../../features/widget/answer-visitor.ts'
import type { ReadTalk } from '../../features/widget/read-conversation.ts'
import { readJson } from '../http/json-body.ts'
import { uiMessage } from './chat-chunks.ts'
import { sendReply } from './chat-stream.ts'
import { widgetEndpoints } from './endpoints.ts'
import { sendJson } from './json.ts'
import type { WidgetOperation } from './operation.ts'

export type ChatUseCases = { readonly answerVisitor: AnswerVisitor; readonly readTalk: ReadTalk }

/** A message that is far too long is still read: its sender is told which field is. */
const largestQuestion = 131_072

export function chatOperations({ answerVisitor, readTalk }: ChatUseCases): readonly WidgetOperation[] {
  return [
    {
      ...widgetEndpoints.chat,
      async handle({ exchange, parameters: _parameters, ...visitor }) {
        const question = await readJson(exchange, largestQuestion)
        await sendReply(exchange, await answerVisitor({ ...visitor, question, signal: exchange.signal }))
      },
    },
    {
      ...widgetEndpoints.conversation,
      async handle({ exchange, parameters, workspaceId, widgetKey }) {
        const messages = await readTalk({ workspaceId, widgetKey, talkId: parameters['id'] ?? '' })
        sendJson(exchange, { messages: messages.map(uiMessage) })
      },
    },
  ]
}
