import { Phone } from 'lucide-react'

/** The sign of the console. */
export function Mark() {
  return (
    <span className="mark" aria-hidden="true">
      <Phone />
    </span>
  )
}
