"""ShapeTracer: how a tensor's numbers move when it is split into heads."""
