import {
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  type ObjectTypeExtensionNode,
  parse,
  print,
  type StringValueNode,
  visit,
} from 'graphql'
import { costSentence } from '../cost/describe-cost.ts'
import { limitOf } from './input-limit.ts'

/**
 * The SDL with each limit as a sentence at the end of the description of its argument or field and what a field costs at the end
 * of its own.
 */
export function withLimitDescriptions(sdl: string): string {
  const owners: (ObjectTypeDefinitionNode | ObjectTypeExtensionNode)[] = []
  const within = {
    enter: (node: ObjectTypeDefinitionNode | ObjectTypeExtensionNode) => void owners.push(node),
    leave: () => void owners.pop(),
  }
  const document = visit(parse(sdl, { noLocation: true }), {
    ObjectTypeDefinition: within,
    ObjectTypeExtension: within,
    FieldDefinition(node): FieldDefinitionNode | undefined {
      const isRoot = ['Query', 'Mutation', 'Subscription'].includes(owners.at(-1)?.name.value ?? '')
      return withSentences(node, costSentence(node, isRoot)) ?? undefined
    },
    InputValueDefinition: (node): InputValueDefinitionNode | undefined => withSentences(node, sentencesOf(node)) ?? undefined,
  })
  return print(document)
}

/** Null without a sentence. */
function withSentences<Node extends { readonly description?: StringValueNode | undefined }>(node: Node, sentences: string): Node | null {
  if (sentences === '') return null
  const value = [node.description?.value.trim() ?? '', sentences].join(' ').trim()
  return { ...node, description: { kind: Kind.STRING, value, block: value.includes('\n') } }
}

/** Such as `1 to 100 characters.`; empty without a limit. */
function sentencesOf(node: InputValueDefinitionNode): string {
  const limit = limitOf(node)
  if (!limit) return ''
  const { form, minLength, maxLength, minimum, maximum, minItems, maxItems } = limit
  return [
    form.description,
    minLength === maxLength ? '' : range({ least: minLength || undefined, most: maxLength, unit: ' characters' }),
    range({ least: minimum, most: maximum, unit: '' }),
    range({ least: minItems, most: maxItems, unit: ' entries' }),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function range({ least, most, unit }: { least: number | undefined; most: number | undefined; unit: string }): string {
  if (most === undefined) return ''
  const number = most.toLocaleString('en')
  return least === undefined ? `At most ${number}${unit}.` : `${least} to ${number}${unit}.`
}
