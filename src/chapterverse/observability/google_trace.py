"""Google's older trace header, which its front ends still send: "X-Cloud-Trace-Context: TRACE_ID/SPAN_ID;o=1".

TRACE_ID is 32 hex digits, SPAN_ID a decimal number (Cloud Trace, "Trace context")."""

import re

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.propagators.textmap import CarrierT, Getter, Setter, TextMapPropagator, default_getter, default_setter

HEADER = "x-cloud-trace-context"
FORM = re.compile(r"([0-9a-f]{32})(?:/(\d+))?(?:;o=(\d))?", re.IGNORECASE)


class GoogleTraceHeader(TextMapPropagator):
    """Reads the header; what we send on is traceparent."""

    def extract(self, carrier: CarrierT, context: Context | None = None, getter: Getter[CarrierT] = default_getter) -> Context:
        """The context with the caller's span, if the header is there and sound."""
        context = Context() if context is None else context
        found = FORM.fullmatch(next(iter(getter.get(carrier, HEADER) or ()), ""))
        if not found:
            return context
        id, span, sampled = found.groups()
        flags = trace.TraceFlags(trace.TraceFlags.SAMPLED if sampled == "1" else trace.TraceFlags.DEFAULT)
        caller = trace.SpanContext(int(id, 16), int(span or 0) or 1, is_remote=True, trace_flags=flags)
        return trace.set_span_in_context(trace.NonRecordingSpan(caller), context)

    def inject(self, carrier: CarrierT, context: Context | None = None, setter: Setter[CarrierT] = default_setter) -> None:
        """Nothing."""

    @property
    def fields(self) -> set[str]:
        """The header."""
        return {HEADER}
