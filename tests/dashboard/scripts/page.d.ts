// What the pages' scripts take for granted of elements that they found by a selector, and of their own events.
interface Element { value: any; checked: any; content: any }
interface Event { detail: any }
