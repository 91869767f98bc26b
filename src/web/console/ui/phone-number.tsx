import { createContext, useContext } from 'react'
import { Button } from 'react-aria-components/Button'
import { Phone } from 'lucide-react'
import './phone-number.css'

/** How numbers are called here: given by the shell to agents. Null: numbers are text. */
export type Dialler = { readonly dial: (number: string, leadId?: string) => void; readonly labelOf: (number: string) => string }
export const DiallerContext = createContext<Dialler | null>(null)

/** A phone number as people read it. Where somebody can call, a press calls it. `leadId`: whom the call is about. */
export function PhoneNumber({ number, leadId }: { readonly number: string; readonly leadId?: string }) {
  const dialler = useContext(DiallerContext)
  const text = spacedNumber(number)
  if (!dialler) return <span className="numbers">{text}</span>
  return (
    <Button className="ui-phone-number numbers" aria-label={dialler.labelOf(text)} onPress={() => dialler.dial(number, leadId)}>
      {text}
      <Phone aria-hidden="true" />
    </Button>
  )
}

type PersonProps = { readonly name: string | null; readonly number: string; readonly leadId: string | null }

/** Who somebody is, if it is known, and the number to call. */
export function Person({ name, number, leadId }: PersonProps) {
  const phone = <PhoneNumber number={number} {...(leadId !== null && { leadId })} />
  if (name === null) return phone
  return (
    <span className="ui-person">
      <span>{name}</span>
      {phone}
    </span>
  )
}

type Numbers = { readonly phoneNumber: string | null; readonly dialledNumber: string | null }

/** As people read it; as it was dialled if it is an extension, say. Null: it is withheld. */
export function shownNumber({ phoneNumber, dialledNumber }: Numbers): string | null {
  return phoneNumber === null ? dialledNumber : spacedNumber(phoneNumber)
}

/** `+91 98140 12345`. */
export function spacedNumber(number: string): string {
  const indian = /^\+91(\d{5})(\d{5})$/.exec(number)
  return indian ? `+91 ${indian[1]} ${indian[2]}` : number
}
