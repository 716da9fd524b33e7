package cmd

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/contrib/exporters/autoexport"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/opentelemetry"
)

// observed are the variables that ask for metrics or traces, as OpenTelemetry names them.
var observed = []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_METRICS_EXPORTER", "OTEL_TRACES_EXPORTER"}

// observe returns what has a client's metrics and traces exported as OpenTelemetry's variables say, and what sends the last ones.
// Without one of these variables nothing is measured.
func (f *fleet) observe(ctx context.Context) (use func(*client.Options), stop func(context.Context) error, err error) {
	asked := false
	for _, name := range observed {
		asked = asked || f.Getenv(name) != ""
	}
	if !asked {
		return func(*client.Options) {}, func(context.Context) error { return nil }, nil
	}
	spans, err := autoexport.NewSpanExporter(ctx)
	if err != nil {
		return nil, nil, err
	}
	reader, err := autoexport.NewMetricReader(ctx)
	if err != nil {
		return nil, nil, err
	}
	traces, metrics := trace.NewTracerProvider(trace.WithBatcher(spans)), metric.NewMeterProvider(metric.WithReader(reader))
	handler := opentelemetry.NewMetricsHandler(opentelemetry.MetricsHandlerOptions{
		Meter: metrics.Meter("autopilot-temporal"), OnError: func(err error) { fmt.Fprintf(f.Err, "autopilot-temporal: %v\n", err) },
	})
	tracing, err := opentelemetry.NewTracingInterceptor(opentelemetry.TracerOptions{Tracer: traces.Tracer("autopilot-temporal")})
	use = func(o *client.Options) { o.MetricsHandler, o.Interceptors = handler, append(o.Interceptors, tracing) }
	return use, func(ctx context.Context) error { return errors.Join(traces.Shutdown(ctx), metrics.Shutdown(ctx)) }, err
}
