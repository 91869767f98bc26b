import { answerVisitor } from '../../features/widget/answer-visitor.ts'
import { readConversation } from '../../features/widget/read-conversation.ts'
import { readJson } from '../http/json-body.ts'
import { uiMessage } from './chat-chunks.ts'
import { sendReply } from './chat-stream.ts'
import { widgetEndpoints } from './endpoints.ts'
import { sendJson } from './json.ts'
import type { WidgetOperation } from './operation.ts'

/** Larger than any valid message, so that the error for a message that is too long names the field. */
const maxQuestionBytes = 131_072

export const chatOperations: readonly WidgetOperation[] = [
  {
    ...widgetEndpoints.chat,
    async handle(ports, { ctx, workspaceId, widgetKey, clientAddress }) {
      const question = await readJson(ctx, maxQuestionBytes)
      const visitor = { workspaceId, widgetKey, clientAddress, question, signal: ctx.signal }
      await sendReply(ctx, await answerVisitor(ports, visitor))
    },
  },
  {
    ...widgetEndpoints.conversation,
    async handle({ store }, { ctx, parameters, workspaceId, widgetKey }) {
      const messages = await readConversation({ store }, { workspaceId, widgetKey, conversationId: parameters['id'] ?? '' })
      sendJson(ctx, { messages: messages.map(uiMessage) })
    },
  },
]
