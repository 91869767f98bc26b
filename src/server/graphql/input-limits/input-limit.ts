import { Kind, type InputValueDefinitionNode, valueFromASTUntyped } from 'graphql'
import { z } from 'zod'
import { type FormRule, type TextForm, textForms } from './text-forms.ts'

const formNames = Object.keys(textForms).filter((name): name is TextForm => name in textForms)
const argumentsSchema = z.strictObject({
  form: z.enum(formNames).default('TEXT'),
  minLength: z.int().optional(),
  maxLength: z.int().optional(),
  minimum: z.int().optional(),
  maximum: z.int().optional(),
  minItems: z.int().optional(),
  maxItems: z.int().optional(),
})

/** What the directive `@limit` of an argument or input field says. The lengths are the directive's, else those of the form. */
export type InputLimit = {
  readonly form: FormRule
  readonly minLength: number
  readonly maxLength: number | undefined
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly minItems: number | undefined
  readonly maxItems: number | undefined
}

const known = new WeakMap<InputValueDefinitionNode, InputLimit | null>()

/** Null if the argument or field has no `@limit`. Throws if the directive is not valid. */
export function limitOf(node: InputValueDefinitionNode | null | undefined): InputLimit | null {
  if (!node) return null
  const found = known.get(node)
  if (found !== undefined) return found
  const limit = readLimit(node)
  known.set(node, limit)
  return limit
}

function readLimit({ directives }: InputValueDefinitionNode): InputLimit | null {
  const directive = directives?.find(({ name }) => name.value === 'limit')
  if (!directive) return null
  const given = (directive.arguments ?? []).map(({ name, value }): [string, unknown] => [
    name.value,
    value.kind === Kind.ENUM ? value.value : valueFromASTUntyped(value),
  ])
  const { form: name, ...limit } = argumentsSchema.parse(Object.fromEntries(given))
  const form: FormRule = textForms[name]
  return {
    form,
    minLength: limit.minLength ?? form.minLength ?? 0,
    maxLength: limit.maxLength ?? form.maxLength,
    minimum: limit.minimum,
    maximum: limit.maximum,
    minItems: limit.minItems,
    maxItems: limit.maxItems,
  }
}
