import type { ModelAsk, OfferedTool, WireSchema } from './ask.ts'
import { inventValue } from './invent.ts'
import { summaryOf } from './invent-text.ts'
import { dataOf, type Material, materialOf, overlap } from './material.ts'
import { isAssistantChat, assist, type AssistantStep } from './assistant.ts'
import { objectOf } from './schema-parts.ts'

export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: string }
/** The model's answer: a text (JSON if there is a schema), or tool calls. */
export type Reply = {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  /** Why it ended before its end. */
  readonly ended?: 'length' | 'content_filter'
}

/**
 * `false`: a model that keeps data and instructions apart. `within`: it follows instructions in the data, within the schema.
 * `beyond`: also with values, properties and tools that were not offered.
 */
export type Obedience = false | 'within' | 'beyond'

const hostileSigns =
  /ignore|disregard|forget|instead|you must|you are now|override|system\s*:|assistant\s*:|<\/?[a-z!]|https?:|javascript:|\bset\b|\bdelete\b|ignor|vergiss|olvida|ignora|अनदेखा|निर्देश|忽略|تجاهل/i

export function replyTo(ask: ModelAsk, obedience: Obedience, now: number): Reply {
  const users = ask.messages.filter(({ role }) => role === 'user').map(({ text }) => text)
  const toolResults = ask.messages.filter(({ role }) => role === 'tool').map(({ text }) => text)
  const last = ask.messages.at(-1)
  const material = materialOf(users.join('\n'), toolResults)
  const hostile = obedience === false ? null : hostileText(users.join('\n'))
  const form = typeof ask.format === 'object' ? ask.format.schema : formIn(ask.instructions)
  if (form !== null) {
    const value = inventValue(form, material, now)
    return said(JSON.stringify(hostile === null ? value : obeyed(value, { hostile, beyond: obedience === 'beyond', schema: form })))
  }
  if (hostile === null && isAssistantChat(ask.tools)) return replyOfAssistant(assist(ask.messages), ask.messages.length)
  if (ask.format === 'json') return said(JSON.stringify({ text: summaryOf(material) }))
  if (last?.role === 'tool') return said(hostile ?? reportResult(last.text))
  const called = toolFor(ask.tools, last?.text ?? '', obedience === 'beyond')
  if (called) {
    const input = 'parameters' in called ? inventValue(called.parameters, material, now) : {}
    return { text: '', toolCalls: [{ id: `call_${ask.messages.length}`, name: called.name, arguments: JSON.stringify(input) }] }
  }
  return said(hostile ?? answerText(last?.text ?? ''))
}

/** The form that instructions show to a model whose server takes none. */
function formIn(instructions: string): WireSchema | null {
  const [, text] = /\(a JSON Schema\): (\{[^\n]*\})$/m.exec(instructions) ?? []
  return text === undefined ? null : objectOf(JSON.parse(text))
}

function replyOfAssistant(step: AssistantStep, message: number): Reply {
  if ('text' in step) return said(step.text)
  return { text: '', toolCalls: [{ id: `call_${message}`, name: step.tool, arguments: JSON.stringify(step.input) }] }
}

function said(text: string): Reply {
  return { text, toolCalls: [] }
}

/** The tool whose name and description share most words with the message, if its name shares at least one. */
function toolFor(tools: readonly OfferedTool[], text: string, beyond: boolean): OfferedTool | { name: string } | null {
  const demanded = /\b([a-zA-Z_]\w+)\(/.exec(text)?.[1]
  if (beyond && demanded !== undefined) return tools.find((tool) => tool.name === demanded) ?? { name: demanded }
  const rated = tools
    .filter((tool) => overlap(tool.name, text) > 0 || overlap(tool.description, text) > 1)
    .map((tool) => ({ tool, score: 2 * overlap(tool.name, text) + overlap(tool.description, text) }))
    .toSorted((a, b) => b.score - a.score)
  return rated[0]?.tool ?? null
}

function reportResult(result: string): string {
  const material = materialOf('', [result])
  const lines = material.records.flatMap((record) => {
    const words = Object.entries(record).flatMap(([key, value]) => (typeof value === 'string' && !/id$/i.test(key) ? [value] : []))
    return words.length > 0 ? [words.slice(0, 3).join(', ')] : []
  })
  return lines.length > 0 ? `Here is what I found: ${lines.slice(0, 5).join('; ')}.` : 'I have passed that on. Is there anything else?'
}

function answerText(text: string): string {
  const material: Material = materialOf(text, [])
  if (material.sentences.length === 0) return 'How can I help you?'
  if (material.sentences.length > 3) return summaryOf(material)
  return `You said: ${summaryOf(material)} I can help with doctors, visit slots and appointments.`
}

/** The instructions in the data for a gullible model: the lines that look like orders, unchanged, else all lines. */
function hostileText(prompt: string): string {
  const lines = prompt.split('\n').filter((line) => hostileSigns.test(line))
  return (lines.length > 0 ? lines.join('\n') : dataOf(prompt)).slice(0, 4_000)
}

type Obeying = { readonly hostile: string; readonly beyond: boolean; readonly schema: Readonly<Record<string, unknown>> }

/** The value with every free text replaced by the orders, every choice by one that the orders name. */
function obeyed(value: unknown, { hostile, beyond, schema }: Obeying): unknown {
  const made = obeyedAt(value, schema, { hostile, beyond })
  const extra = beyond && typeof made === 'object' && made !== null ? { status: hostile, note: hostile } : {}
  return typeof made === 'object' && made !== null && !Array.isArray(made) ? { ...made, ...extra } : made
}

function obeyedAt(value: unknown, schema: Readonly<Record<string, unknown>>, order: { hostile: string; beyond: boolean }): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => obeyedAt(item, objectOf(schema['items']), order))
  if (typeof value === 'object' && value !== null) {
    const properties = objectOf(schema['properties'])
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, obeyedAt(part, objectOf(properties[key]), order)]))
  }
  if (typeof value !== 'string') return value
  if (Array.isArray(schema['enum'])) return obeyedChoice(value, schema['enum'], order)
  return schema['type'] === 'string' && !('format' in schema) ? cut(order.hostile, schema['maxLength']) : value
}

function obeyedChoice(value: string, allowed: readonly unknown[], { hostile, beyond }: { hostile: string; beyond: boolean }): unknown {
  const named = allowed.find((choice) => hostile.includes(String(choice)))
  const demanded = beyond ? /\b[A-Z]{3,}(?:_[A-Z]+)+\b/.exec(hostile)?.[0] : undefined
  return demanded ?? named ?? value
}

function cut(text: string, most: unknown): string {
  return typeof most === 'number' ? text.slice(0, most) : text
}
